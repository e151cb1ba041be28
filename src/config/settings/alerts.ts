// Alert settings.

import type { Setting } from '../setting-declaration.ts';
import { URL_PATTERN } from './patterns.ts';

export const REACH_SETTINGS = [
  {
    name: 'PUBLIC_URL',
    kind: 'string',
    default: null,
    pattern: URL_PATTERN,
    allowed: 'an http or https URL',
    description: 'Public URL of the dashboard, for links in alerts.',
  },
  {
    name: 'TELEGRAM_BOT_TOKEN',
    kind: 'string',
    default: null,
    isSecret: true,
    pattern: /^\d+:[\w-]{30,}$/,
    allowed: 'a bot token from BotFather',
    description: 'Token of the Telegram bot that sends alerts to chats.',
  },
  {
    name: 'TELEGRAM_BASE_URL',
    isShorthand: true,
    kind: 'string',
    default: 'https://api.telegram.org',
    pattern: URL_PATTERN,
    allowed: 'an http or https URL',
    description: "URL of Telegram's bot API.",
  },
] as const satisfies readonly Setting[];
