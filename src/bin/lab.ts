// Loads lab tools on demand. The package ships without them.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Lab } from '../cli/run.ts';

const LIST = new URL('../../lab/commands/all-lab-commands.ts', import.meta.url);

export function openLab(): Lab | undefined {
  if (!existsSync(fileURLToPath(LIST))) return undefined;
  // Imported by URL, so that the tools are never bundled with the service.
  const load = (): Promise<typeof import('../../lab/commands/all-lab-commands.ts')> => import(LIST.href);
  return {
    async find(name) {
      const { LAB_COMMANDS } = await load();
      return LAB_COMMANDS.find((entry) => entry.name === name);
    },
    async describe() {
      return (await load()).describeLab();
    },
  };
}
