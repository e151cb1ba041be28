// Fetches the next item of a sequence while the current one is processed, one ahead: reading and writing page
// by page then takes the longer of the two instead of their sum.

export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = iterator.next();
      // Thrown when its turn comes; dropped if it never does.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
