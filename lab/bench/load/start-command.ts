// The command of `npm start`; the process becomes the service, so its memory and CPU time are the service's.

export const START_COMMAND: readonly string[] = ['bin/tallycast.mjs', 'start'];
