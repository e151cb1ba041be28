// Fetches the next item of a sequence while the current one is processed. Reading and writing page by page
// then takes the longer of the two times instead of their sum.

export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = iterator.next();
      // A failure is thrown when the item is awaited, and dropped if it never is.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
