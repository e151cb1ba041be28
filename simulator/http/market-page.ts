// The page behind a trade link: an event's buckets and prices, read-only. The simulator has no order form.

import type { SimulatorState } from '../simulator-state.ts';
import { type Answer, failure, matchPath, type SimulatorRequest } from './answer.ts';
import { toGammaEvent } from './gamma-wire.ts';

const STYLE =
  'body{font:16px system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}td{padding:.2rem 1rem .2rem 0}';

export function createMarketPage(state: SimulatorState) {
  return async ({ method, path }: SimulatorRequest): Promise<Answer> => {
    const nowTs = state.now();
    const slug = matchPath('/:slug', path)?.slug;
    const event = state.countEvents.list(nowTs).find((candidate) => candidate.slug === slug);
    if (method !== 'GET' || !event) return failure(404, { error: 'no such event' });
    const { title, markets } = toGammaEvent(state, event, nowTs) as unknown as ShownEvent;
    const rows = markets.map((market) => row(market.groupItemTitle, market.bestBid, market.bestAsk)).join('');
    const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><p>Simulated market. Nothing can be bought here.</p><h1>${escapeHtml(title)}</h1><table><thead><tr><th>Bucket</th><th>Bid</th><th>Ask</th></tr></thead><tbody>${rows}</tbody></table></main></body></html>`;
    return { status: 200, body: null, text, headers: { 'content-type': 'text/html; charset=utf-8' } };
  };
}

interface ShownEvent {
  title: string;
  markets: { groupItemTitle: string; bestBid?: number; bestAsk?: number }[];
}

function row(label: string, bid: number | undefined, ask: number | undefined): string {
  return `<tr><td>${escapeHtml(label)}</td><td>${cents(bid)}</td><td>${cents(ask)}</td></tr>`;
}

function cents(price: number | undefined): string {
  return price === undefined ? '–' : `${Number((price * 100).toFixed(1))}¢`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
