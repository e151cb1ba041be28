// The `npm start` command, exec'd so that the measured process is the service itself.

export const START_COMMAND: readonly string[] = ['bin/tallycast.mjs', 'start'];
