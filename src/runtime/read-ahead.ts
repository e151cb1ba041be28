// Asks for the next of a sequence while the last is being worked on, one ahead and no more: what is read page by page and
// written page by page takes the longer of the two instead of both.

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
