// What happens in a scene: crashes, pauses, clock steps, posts, store failures.

import type { StoreTrouble } from './faulty-store.ts';
import type { Leaders } from './leaders.ts';
import type { Replicas } from './replicas.ts';
import type { Deed } from './scene.ts';
import type { Stage } from './stage.ts';

export const NO_TROUBLE: StoreTrouble = { kind: 'none' };

export function createDeeds(
  { simulator, clock, note }: Stage,
  leaders: Leaders,
  replicas: Replicas,
): (deed: Deed) => Promise<void> {
  async function act(deed: Deed): Promise<void> {
    switch (deed.kind) {
      case 'kill':
        return leaders.kill();
      case 'pause':
        return leaders.pause(deed.forMs);
      case 'step':
        return leaders.current().clock.step(deed.byMs);
      case 'post':
        return post(deed);
      case 'store':
        return trouble(deed);
    }
  }

  function post({ accountId, deleteAfterMs }: Deed & { kind: 'post' }): void {
    simulator.injectPost({ accountId, ...(deleteAfterMs === null ? {} : { deleteAfterMs }) });
  }

  function trouble(deed: Deed & { kind: 'store' }): void {
    const untilTs = clock.now() + deed.forMs;
    const begun = deed.trouble.kind === 'hanging' ? { ...deed.trouble, untilTs } : deed.trouble;
    if (deed.who === 'leader') {
      note(deed.forMs);
      leaders.setTrouble(begun);
      clock.after(deed.forMs, () => leaders.setTrouble(NO_TROUBLE));
    } else {
      replicas.setTrouble(begun);
      clock.after(deed.forMs, () => replicas.setTrouble(NO_TROUBLE));
    }
  }

  return act;
}
