// Parsers of other input: post mirrors, settings, backups, request bodies, bot messages.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../src/alerts/channels/discord.ts';
import { createTelegramClient } from '../../src/alerts/channels/telegram-client.ts';
import { loadSettings } from '../../src/config/load-config.ts';
import { readAccountList } from '../../src/config/read-accounts.ts';
import { createCoercer } from '../../src/contract/coerce.ts';
import { FaultError } from '../../src/contract/faults.ts';
import { readCursor } from '../../src/contract/query-string.ts';
import { completeProfile } from '../../src/domain/account-profile.ts';
import { ConfigurationError, UsageError } from '../../src/runtime/errors.ts';
import { ChannelBody } from '../../src/server/endpoints/channels.ts';
import { RuleBody } from '../../src/server/endpoints/rules.ts';
import { WhatIfBody } from '../../src/server/endpoints/what-if.ts';
import { parseFeed } from '../../src/sources/rss/client.ts';
import { makeTempFolder } from '../support/temp-store.ts';
import { isOf, json, type ParserTarget, text } from './parser-target.ts';

const ACCOUNT = completeProfile({ accountId: 'a', handle: 'handle', platformUserId: '1' }, 0);
const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><item><title>t</title>
<link>https://mirror.example/s/1</link><truth:originalUrl>https://p.example/@handle/116457972455781406?x#y</truth:originalUrl>
<pubDate>Fri, 18 Sep 2026 12:00:00 +0000</pubDate><description><![CDATA[<p>a &amp; b RT: https://p.example/1</p>]]></description>
</item></channel></rss>`;
const UPDATE = { update_id: 7, message: { message_id: 1, chat: { id: 5 }, text: '/start ABCDEF12' } };
const FILE_ACCOUNT = {
  ...{
    id: 'c',
    handle: 'h',
    platform: 'x',
    platformUserId: '3',
    series: ['s'],
    timeZone: 'America/New_York',
  },
  ...{ countingRule: { countsReplies: false }, forecastHints: {}, postSources: ['x', { kind: 'rss' }] },
};

export function moreTargets(): ParserTarget[] {
  return [
    text('rss feed', [FEED], (input) => parseFeed(input, ACCOUNT)),
    json(
      'accounts in the settings file',
      [[FILE_ACCOUNT]],
      readAccountList,
      isOf(ConfigurationError, UsageError),
    ),
    json(
      'settings file',
      [{ port: 8080, xPush: true, accounts: [FILE_ACCOUNT] }],
      readSettingsFile,
      isOf(ConfigurationError, UsageError),
    ),
    text(
      'page cursor',
      ['MTc4OTk5OTk5OTk5OS0xMg', '1789999999999.12'],
      (input) => readCursor(input, 2),
      isOf(FaultError),
    ),
    text('Discord response', ['{"message":"m","retry_after":0.5}'], readJson),
    json('Telegram updates', [{ ok: true, result: [UPDATE] }], readUpdates),
    ...bodies(),
  ];
}

function bodies(): ParserTarget[] {
  const samples = [
    [ChannelBody, { kind: 'discord', url: 'https://discord.com/api/webhooks/1/a', label: 'l' }],
    [RuleBody, { kind: 'activity', threshold: 60, quiet_from: '22:00', quiet_zone: 'UTC', most_per_hour: 3 }],
    [WhatIfBody, { event_id: 1, pace_factor: 1.5, posts_added: 3 }],
  ] as const;
  return samples.map(([schema, sample], i) => {
    const coerce = createCoercer(schema);
    return json(`body ${i + 1}`, [sample], (input) => coerce.body(input));
  });
}

const folder = makeTempFolder('fuzz');

function readSettingsFile(input: unknown): unknown {
  const file = join(folder, 'settings.json');
  // Use a new file each time, because overwriting an existing one waits for the disk.
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(input) ?? '');
  const { accountList } = loadSettings([], { TALLYCAST_CONFIG: file });
  return accountList === undefined ? null : readAccountList(accountList);
}

async function readUpdates(input: unknown): Promise<unknown> {
  const client = createTelegramClient({
    ...{ baseUrl: 'https://bot.example', token: 't' },
    fetch: async () => new Response(JSON.stringify(input) ?? '', { status: 200 }),
  });
  return client.getUpdates(0, 1, new AbortController().signal);
}
