// Ten questions a trader would ask, each with the calls an agent makes and a check against the API.

// biome-ignore lint/suspicious/noExplicitAny: an agent sees untyped responses
type Body = any;

export interface Toolbox {
  /** Calls a tool and returns its text. */
  use(name: string, args?: Record<string, unknown>): Promise<Body>;
  /** Calls the API directly, for comparison. */
  read(path: string): Promise<Body>;
  wallet: string;
}

export interface Question {
  question: string;
  ask(tools: Toolbox): Promise<{ answer: string; isRight: boolean }>;
}

const account = 'account_a';

export const QUESTIONS: readonly Question[] = [
  {
    question: 'What should I buy now with 500 USD?',
    async ask({ use, read }) {
      const { data, nearest, total } = await use('what_to_trade', { bankroll: 500 });
      const served = await read('/signals?bankroll=500&limit=100');
      const answer = data[0]?.sentence ?? describeNearest(nearest);
      return { answer: `${answer} (${total} trades)`, isRight: total === served.data.length };
    },
  },
  {
    question: 'Which YES trades return at least 10%?',
    async ask({ use, read }) {
      const { data, total } = await use('what_to_trade', { side: 'YES', min_gain: 0.1 });
      const served: Body[] = (await read('/signals?limit=100')).data;
      const right = served.filter((trade) => trade.side === 'YES' && trade.gain_per_usd >= 0.1);
      return { answer: total === 0 ? 'none' : data[0].sentence, isRight: total === right.length };
    },
  },
  {
    question: 'How many posts so far in the event that ends first, and how did the count get there?',
    async ask({ use, read }) {
      const { event_id, real_counter } = firstToEnd((await use('get_counters', { account })).data);
      const { data } = await use('get_event_history', { account, event_id });
      const served: Body[] = (await read(`/meta/${account}`)).data;
      const isSame = served.some((row) => row.event_id === event_id && row.real_counter === real_counter);
      return { answer: `${real_counter} posts; ${data.points.length} points`, isRight: isSame };
    },
  },
  {
    question: 'What final count do you expect there?',
    async ask({ use, read }) {
      const { event_id } = firstToEnd((await use('get_counters', { account })).data);
      const [record] = (await use('get_forecast', { account, event_id })).data;
      const { p5, p50, p95 } = record.forecast;
      const served = (await read(`/prediction/${account}`)).data.find(
        (row: Body) => row.event_id === event_id,
      );
      return { answer: `${p50}, 90% between ${p5} and ${p95}`, isRight: isNear(p50, served.forecast.p50) };
    },
  },
  {
    question: 'And if the account posts nothing for the next 6 hours?',
    async ask({ use }) {
      const { event_id } = firstToEnd((await use('get_counters', { account })).data);
      const { data } = await use('what_if', { account, event_id, silent_hours: 6 });
      const { forecast, published } = data;
      const answer = `${forecast.p50} instead of ${published.p50}`;
      return { answer, isRight: forecast.p50 <= published.p50 + 1 };
    },
  },
  {
    question: 'How did similar weeks end?',
    async ask({ use, read }) {
      const { data } = await use('get_outlook', { account });
      const finals: number[] = data[0].similar.map((window: Body) => window.final_count);
      const served = (await read(`/outlook/${account}`)).data[0].similar;
      const answer = `between ${Math.min(...finals)} and ${Math.max(...finals)} posts`;
      return { answer, isRight: served[0].final_count === finals[0] };
    },
  },
  {
    question: 'How did the last settled events end?',
    async ask({ use, read }) {
      const { data } = await use('get_past_events', { account });
      const settled = data.filter(({ settlement }: Body) => settlement);
      const served = (await read(`/history/${account}/events?limit=20`)).data;
      const counts = settled.map(({ settlement }: Body) => settlement.final_count);
      const answer = `${counts.slice(0, 3).join(', ')} posts in the last three of ${settled.length}`;
      return { answer, isRight: served[0].event_id === data[0].event_id };
    },
  },
  {
    question: 'What is my wallet worth, and what should I change?',
    async ask({ use, read, wallet }) {
      const { data } = await use('get_portfolio', { account, wallet });
      const value = data.reduce((sum: number, { portfolio }: Body) => sum + portfolio.current_value, 0);
      const served: Body[] = (await read(`/portfolio/${account}?wallet=${wallet}`)).data;
      const right = served.reduce((sum, { portfolio }) => sum + portfolio.current_value, 0);
      const changes = data.flatMap(({ positions }: Body) =>
        positions.map(({ advice }: Body) => advice?.sentence),
      );
      const answer = `${value.toFixed(2)} USD; ${changes[0] ?? 'no position'}`;
      return { answer, isRight: Math.abs(value - right) < 0.05 * right };
    },
  },
  {
    question: 'How good were the forecasts so far?',
    async ask({ use, read }) {
      const { error_24h } = await use('get_performance');
      const served = await read('/performance/overview');
      const answer =
        error_24h.median === null
          ? 'unknown: no event has been scored yet'
          : `median error ${error_24h.median} posts a day before the end, over ${error_24h.sample_size} events`;
      return { answer, isRight: served.error_24h.sample_size >= error_24h.sample_size };
    },
  },
  {
    question: 'Did an alert fire, and is the data fresh?',
    async ask({ use, read }) {
      const alerts = await use('get_alerts');
      const { status, problems } = await use('get_health');
      const served = await read('/notices');
      const answer = `${alerts.data.length} alerts; ${status}${problems.length > 0 ? `: ${problems[0]}` : ''}`;
      return { answer, isRight: alerts.data.length === served.data.length };
    },
  },
];

function firstToEnd(records: Body[]): Body {
  return records.reduce((first, record) => (record.end_ts < first.end_ts ? record : first));
}

function describeNearest(nearest: Body): string {
  return nearest === null
    ? 'nothing to buy'
    : `nothing yet; closest: ${nearest.bucket} at ${nearest.act_at_price}`;
}

/** A new forecast may be published between two calls. */
function isNear(left: number, right: number): boolean {
  return Math.abs(left - right) <= Math.max(2, 0.05 * right);
}
