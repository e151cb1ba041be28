// Tracks whether the page is visible.

const HIDDEN_FOR_MS = 60_000;

/** A tab hidden this long releases its connection, because a browser has only six. */
export function watchVisibility({
  onHidden,
  onShown,
}: {
  onHidden: () => void;
  onShown: () => void;
}): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(onHidden, HIDDEN_FOR_MS);
    else onShown();
  };
  document.addEventListener('visibilitychange', follow);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', follow);
  };
}
