// Scenarios: long runs that compare the service with the simulator's ground truth.

import type { CommandEntry } from '../../src/cli/command.ts';
import { toEntry } from './program-entry.ts';

export const SCENARIOS: readonly CommandEntry[] = [
  {
    name: 'storm',
    summary: 'run a seeded failure scenario',
    load: () => import('./storm.ts'),
  },
  toEntry({
    name: 'counts',
    summary: 'compare every count with the simulator through faults and kills',
    script: 'lab/bench/counts.ts',
    usage: `[--days 30] [--speed 1800] [--seed 71] [options]

Run real processes through weeks of simulated time with every fault and kill -9 every few minutes, then compare our count
of every event with the simulator's. Prints any differences and exits 1.

  --lead KIND   leading post sources for accounts A (X) and B (a Mastodon server):
                x (polling; oracle for B), push (streaming), mastodon (oracle for A), oracle (both), twitterapi, rss,
                archive (history from twitterapi.io and RSS), platform (X and Mastodon, push in half of the processes),
                mirror (twitterapi.io and RSS, cut off alternately), all (every source, the leading one cut off in turn)

examples:
  npx tallycast lab counts --days 3
  npx tallycast lab counts --days 3 --lead oracle`,
  }),
  toEntry({
    name: 'trading-days',
    summary: 'trade through faults and kills; compare the books with the exchange',
    script: 'lab/bench/trading/days.ts',
    usage: `[--days 200] [--kills 50] [--seed 1]

Run the executor as a separate process on the simulated exchange: seeded days with intermittent faults, a rival that is
sometimes faster, and kill -9 in the middle of requests. After each restart and at the end of each day, cash, positions
and open orders must match the exchange; no cap may be exceeded, no order duplicated, and no order may stay open a minute
after heartbeats stop. Exits 1 otherwise.

examples:
  npx tallycast lab trading-days --days 10 --kills 5`,
  }),
  toEntry({
    name: 'trading-parity',
    summary: 'compare paper trading with the simulated exchange',
    script: 'lab/bench/trading/paper-parity.ts',
    usage: `[--days 100] [--seed 1]

Follow the same advice on paper and on the simulated exchange, using two simulators with the same seed. Exits 1 if the
paper profit differs by more than 10% or exceeds the exchange's by more than chance.

examples:
  npx tallycast lab trading-parity --days 20`,
  }),
  toEntry({
    name: 'rule-weeks',
    summary: 'measure forecasts under two counting rules over simulated weeks',
    script: 'lab/bench/rules/rule-weeks.ts',
    usage: `[--weeks 100] [--seed 5]

Simulate an account that deletes a fifth of its posts and compare weekly forecasts with the results, both when deleted
posts count and when they do not. Exits 1 if either distribution is farther from uniform than chance allows (99%).

examples:
  npx tallycast lab rule-weeks --weeks 20`,
  }),
  toEntry({
    name: 'trading-latency',
    summary: 'measure the time from a signal to an order, and the cost of open orders',
    script: 'lab/bench/trading/latency.ts',
    usage: `[--signals 100] [--open-orders 100]

Run the service and its simulator alongside the trader, with 20 requests/s from other callers. Takes about 80 s; exits 1
if the 99th percentile is above 250 ms. With --open-orders, measure the trader's CPU time for that many open orders; exits
1 at 5% of a core or more, or if it cannot keep them open.

examples:
  npx tallycast lab trading-latency --signals 50
  npx tallycast lab trading-latency --open-orders 100`,
  }),
  toEntry({
    name: 'alerts',
    summary: 'check alert delivery with many rules, hanging receivers and kills',
    script: 'lab/bench/alerts.ts',
    usage: `[--keys 1000] [--rounds 6] [--posts 100] [--kills 50] [--hanging 5] [--engine sqlite]

Check alert delivery on each engine with ten rules per key and receivers on this machine: delay from post to receiver in
paired runs with and without hanging receivers, and repeated kill -9. Exits 1 if a p99 exceeds 2 s, hanging receivers
delay others significantly (p < 0.05), an alert is missing or has two ids, or one process sent an alert twice.

examples:
  npx tallycast lab alerts --keys 100 --rounds 2 --kills 5`,
  }),
  toEntry({
    name: 'durability',
    summary: 'check that rows are synced before they are acknowledged',
    script: 'lab/bench/durability.ts',
    usage: `[--commits 20]

Trace the embedded store's system calls and check that every commit is synced to disk once before it is acknowledged. Needs
strace.

examples:
  npx tallycast lab durability --commits 50`,
  }),
  toEntry({
    name: 'disk-full',
    summary: 'simulate a full disk at every write',
    script: 'lab/bench/disk-full.ts',
    usage: `[--large 400] [--service 20] [--seed 1]

Simulate a full disk at every write by the embedded store, then repeatedly while the whole service runs. Exits 1 with the
reason if data is lost or damaged, or if an error message is unclear. Needs a C compiler.

examples:
  npx tallycast lab disk-full --large 50 --service 5`,
  }),
  toEntry({
    name: 'siege',
    summary: 'run every attack at once from twenty addresses',
    script: 'lab/bench/siege.ts',
    usage: `[--minutes 3] [--only NAME]

Attack the npm start service from twenty loopback addresses at once: silent connections, MCP batches, guessed keys,
forged payments, PRO keys requesting ladders on 40 connections, unresolvable webhooks and posts from the future. --only
'busy keys' runs one attack, --only none runs none. Prints an honest caller's latency, capture delay, memory and
stale feeds; exits 1 beyond 250 ms (p99), 1.5 s or 1 GB, if an honest call fails, or if a feed goes stale.

examples:
  npx tallycast lab siege --minutes 10`,
  }),
  toEntry({
    name: 'roles',
    summary: 'kill leaders and restart the database under load',
    script: 'lab/bench/roles.ts',
    usage: `[--rounds 3] [--restarts 1] [--apis 3] [--readers 6] [--pro] [--pooler] [--failover]

Kill leaders and restart PostgreSQL under load; check takeover time, exact counts, limits and revocation across replicas.
Exits 1 on a violation. --pooler puts pgbouncer in transaction mode in front. --failover instead kills a primary, promotes
its synchronous standby and checks that no acknowledged row is lost.

examples:
  npx tallycast lab roles --rounds 50 --restarts 10 --pro
  npx tallycast lab roles --failover`,
  }),
  toEntry({
    name: 'weeks',
    summary: 'follow the advice over simulated weeks; print calibration and return',
    script: 'lab/bench/weeks.ts',
    usage: `[--weeks 30] [--seed 1] [--crowd fitted]

Follow all of the service's advice over simulated weeks and print predicted vs. observed per class, and the return with its
interval. Exits 1 if a class of 30 or more bets falls outside its 90% interval, or the return is below zero by more than
its interval.

examples:
  npx tallycast lab weeks --weeks 10`,
  }),
  toEntry({
    name: 'dossier',
    summary: 'explain a settlement after an oracle stall at the close',
    script: 'lab/bench/dossier.ts',
    usage: `[--seed 7]

Start the service on a fast simulator with an oracle that stalls while an event closes and catches up later. Print
why the event settled as it did and check the signature. Takes one to three minutes; exits 1 if the signature is invalid
or the event does not settle.

examples:
  npx tallycast lab dossier`,
  }),
  toEntry({
    name: 'archive',
    summary: 'record simulated days, export them to Parquet and compare them with the API',
    script: 'lab/bench/archive.ts',
    usage: `[--days 30] [--seed 7]

Record simulated days under a manual clock and query the API at the end of every hour; then export every dataset to
Parquet, read it with DuckDB and compare it with the responses value by value. Exits 1 on a difference. A month takes
about half an hour.

examples:
  npx tallycast lab archive --days 1`,
  }),
  toEntry({
    name: 'steady',
    summary: 'watch for unexplained changes in advice',
    script: 'lab/bench/steady.ts',
    usage: `[--minutes 60] [--seed 71]

Start the service on the simulator at normal speed, read its advice every 2 s and print every change with its cause.
Exits 1 on an unexplained change, or on more than one change per bucket in an hour.

examples:
  npx tallycast lab steady --minutes 10`,
  }),
  toEntry({
    name: 'agents',
    summary: "answer a trader's questions through the agent tools and count tokens",
    script: 'lab/bench/agents.ts',
    usage: `

Answer ten trader questions through the agent tools on the simulator, check each answer against the API and count tokens.
Exits 1 on a difference.`,
  }),
  toEntry({
    name: 'market',
    summary: 'compare the simulated market with real ladders',
    script: 'lab/bench/market.ts',
    usage: `[--seeds 4] [--weeks 20] [--account a] [--crowd fitted]
                              [--prices FILE --outcomes FILE --posts FILE ...]

For each number of hours before the close, print the gap between model and prices, the sum of mid prices, the price of the
favourite and log scores. Pass the file options to print the same for real ladders.

examples:
  npx tallycast lab market --seeds 2 --weeks 10`,
  }),
  toEntry({
    name: 'fuzz',
    summary: 'send mutated inputs to every parser',
    script: 'lab/bench/fuzz.ts',
    usage: `[--inputs 10000] [--seed 1] [--only NAME] [--jobs 1] [--resume FILE]

Send the given number of mutated inputs to each parser (1% of it to the backup parser), or only to parsers matching NAME.
Exits 1 on an unexpected error or a stall. --jobs N runs N parsers at once; --resume FILE stores progress and resumes
from it.

examples:
  npx tallycast lab fuzz --inputs 1000000 --jobs 2 --resume fuzz.jsonl`,
  }),
  toEntry({
    name: 'fuzz-http',
    summary: 'send hostile requests over raw sockets',
    script: 'lab/bench/fuzz-http.ts',
    usage: `[--requests 5000] [--seed 1] [--connections 400] [--wait-ms 3000]

Send hostile requests over raw sockets. Exits 1 on a crash, a long stall, or a 5xx other than 503 with Retry-After.

examples:
  npx tallycast lab fuzz-http --requests 200000`,
  }),
];
