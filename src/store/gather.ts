// Batches requests to a database or another process: requests that arrive while a batch runs form the next one, so
// a thousand callers cost little more than one.

interface Waiting<Order, Answer> {
  order: Order;
  answer: PromiseWithResolvers<Answer>;
}

/** `runBatch` returns an answer for each order; if it throws, the whole batch failed. */
export function gather<Order, Answer>(
  maxAtOnce: number,
  runBatch: (orders: readonly Order[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
): (order: Order) => Promise<Answer> {
  const waiting: Waiting<Order, Answer>[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) await answerBatch(waiting.splice(0, maxAtOnce));
    isRunning = false;
  }

  async function answerBatch(batch: readonly Waiting<Order, Answer>[]): Promise<void> {
    try {
      const answers = await runBatch(batch.map(({ order }) => order));
      for (const [i, { answer }] of batch.entries()) answer.resolve(answers[i]!);
    } catch (error) {
      for (const { answer } of batch) answer.reject(error);
    }
  }

  return (order) => {
    const answer = Promise.withResolvers<Answer>();
    waiting.push({ order, answer });
    if (!isRunning) {
      isRunning = true;
      // Waits for more requests from the same event-loop iteration.
      setImmediate(run);
    }
    return answer.promise;
  };
}
