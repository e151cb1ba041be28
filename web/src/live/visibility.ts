// Whether anybody looks at the page.

const HIDDEN_FOR_MS = 60_000;

/** A tab that nobody has looked at for a while gives its connection back; six are all that a browser has. */
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
