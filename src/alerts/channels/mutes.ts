// Muted chats, and until when. Stored, so that a mute survives a restart or a change of leader.

import type { CursorStore } from '../../store/ports.ts';

export interface Mutes {
  isMuted(chatId: string, nowTs: number): Promise<boolean>;
  /** 0 unmutes. */
  mute(chatId: string, untilTs: number): Promise<void>;
}

export function createMutes(cursors: CursorStore): Mutes {
  const nameOf = (chatId: string) => `telegram mute ${chatId}`;
  return {
    isMuted: async (chatId, nowTs) => Number((await cursors.find(nameOf(chatId))) ?? 0) > nowTs,
    mute: (chatId, untilTs) => cursors.put(nameOf(chatId), String(untilTs)),
  };
}
