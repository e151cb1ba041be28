// The command of `npm start`, exec'd so that the process's memory and CPU time are the service's.

export const START_COMMAND: readonly string[] = ['bin/tallycast.mjs', 'start'];
