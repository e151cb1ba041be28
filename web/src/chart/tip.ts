// A tooltip at the cursor, written straight to the DOM because the cursor moves too often to re-render.

export interface TipLine {
  name: string;
  value: string;
  /** Sets the name's colour: own, market or oracle. */
  source?: 'own' | 'market' | 'oracle';
}

export interface TipText {
  ts: number;
  title: string;
  lines: readonly TipLine[];
}

export interface Tip {
  /** Pixels from the host's top-left corner. */
  show(x: number, y: number, text: TipText): void;
  hide(): void;
}

const GAP_PX = 14;

/** Needs a positioned host. Users without a pointer get the same values from the chart's label and slider. */
export function attachTip(host: HTMLElement): Tip {
  const box = document.createElement('div');
  box.className = 'chart-tip num';
  box.hidden = true;
  box.setAttribute('aria-hidden', 'true');
  host.append(box);
  return {
    show(x, y, text) {
      box.dataset.ts = String(text.ts);
      box.replaceChildren(...write(text));
      box.hidden = false;
      const isRight = x > host.clientWidth / 2;
      const left = isRight ? x - GAP_PX - box.offsetWidth : x + GAP_PX;
      box.style.left = `${clamp(left, host.clientWidth - box.offsetWidth)}px`;
      box.style.top = `${clamp(y - box.offsetHeight / 2, host.clientHeight - box.offsetHeight)}px`;
    },
    hide() {
      box.hidden = true;
    },
  };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}

function write({ title, lines }: TipText): HTMLElement[] {
  const head = document.createElement('p');
  head.textContent = title;
  const list = document.createElement('dl');
  for (const { name, value, source } of lines) {
    const term = document.createElement('dt');
    term.textContent = name;
    if (source) term.dataset.source = source;
    const detail = document.createElement('dd');
    detail.textContent = value;
    list.append(term, detail);
  }
  return [head, list];
}
