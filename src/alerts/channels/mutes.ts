// Tracks which chats are muted, until when, and who may mute them. Stored, so that a mute survives a restart
// or a leader change.

import type { CursorStore } from '../../store/ports.ts';

export interface Mutes {
  isMuted(chatId: string, nowTs: number): Promise<boolean>;
  /** 0 unmutes. */
  mute(chatId: string, untilTs: number): Promise<void>;
  /** Records the person who linked the chat. */
  allow(chatId: string, personId: string): Promise<void>;
  /** In a private chat, its owner may mute; in a group, only people who linked it. */
  mayMute(chatId: string, personId: string | null): Promise<boolean>;
}

export function createMutes(cursors: CursorStore): Mutes {
  const nameOf = (chatId: string) => `telegram mute ${chatId}`;
  const ownerOf = (chatId: string, personId: string) => `telegram owner ${chatId} ${personId}`;
  return {
    isMuted: async (chatId, nowTs) => Number((await cursors.find(nameOf(chatId))) ?? 0) > nowTs,
    mute: (chatId, untilTs) => cursors.put(nameOf(chatId), String(untilTs)),
    allow: (chatId, personId) => cursors.put(ownerOf(chatId, personId), 'linked'),
    async mayMute(chatId, personId) {
      if (personId === null) return false;
      return personId === chatId || (await cursors.find(ownerOf(chatId, personId))) !== undefined;
    },
  };
}
