// The stylesheet of the published pages: the colours and fonts of the dashboard, for both colour schemes.

/** As in web/src/styles/tokens.css; a test compares them. */
export const COLOURS: Readonly<Record<string, string>> = {
  '--bg': 'light-dark(#f2f5f4, #0b1110)',
  '--surface': 'light-dark(#ffffff, #121a19)',
  '--sunken': 'light-dark(#f6f8f8, #0f1615)',
  '--ink': 'light-dark(#0f1f1c, #e8f0ee)',
  '--ink-2': 'light-dark(#40524e, #b3c2be)',
  '--ink-3': 'light-dark(#5c6d69, #8fa09c)',
  '--line': 'light-dark(#e1e8e6, #20302c)',
  '--line-2': 'light-dark(#c6d2cf, #32463f)',
  '--own': 'light-dark(#0a7468, #4ccbb9)',
  '--warn-wash': 'light-dark(#fdf3df, #2c2313)',
  '--radius': '10px',
  '--font': '"Geist", "Geist Fallback", system-ui, sans-serif',
};

export const STYLESHEET = `:root {
  color-scheme: light dark;
${Object.entries(COLOURS)
  .map(([name, value]) => `  ${name}: ${value};`)
  .join('\n')}
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 400 0.9375rem / 1.5 var(--font); }
header { background: var(--surface); border-bottom: 1px solid var(--line); }
nav, main, footer { max-width: 1080px; margin: 0 auto; padding: 0 20px; }
nav { display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: baseline; padding-block: 12px; }
main { display: grid; gap: 20px; padding-block: 24px; }
main > * { min-width: 0; margin: 0; }
footer { padding-block: 8px 32px; color: var(--ink-3); }
a { color: var(--own); text-underline-offset: 3px; }
.brand { color: var(--ink); font-weight: 650; text-decoration: none; }
:focus-visible { outline: 2px solid var(--own); outline-offset: 2px; border-radius: 4px; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 0 0 4px; }
h3 { font-size: 1rem; margin: 20px 0 4px; }
p, ul, ol, dl, pre, figure { margin: 8px 0 0; }
section, details { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 20px; }
summary { cursor: pointer; }
summary h2 { display: inline; }
section[data-kind="recomputed"] { background: var(--sunken); border-style: dashed; border-color: var(--line-2); }
td, thead th { white-space: nowrap; }
.fine, figcaption, .range { color: var(--ink-3); font-size: 0.8125rem; }
.notice { background: var(--warn-wash); border: 1px solid var(--line-2); border-radius: var(--radius); padding: 10px 16px; }
.scroll { overflow-x: auto; margin-top: 12px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th { font-weight: 600; }
thead th { color: var(--ink-2); font-size: 0.8125rem; }
th:first-child, td:first-child { padding-left: 0; }
.text { text-align: left; }
tbody th { min-width: 9rem; }
.mean { font-weight: 600; }
.range { display: block; font-weight: 400; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 8px 32px; margin-top: 16px; }
.figures > * { min-width: 0; }
svg { display: block; width: 100%; max-width: 420px; height: auto; }
svg text { fill: var(--ink-3); font: 400 12px var(--font); }
.axis { stroke: var(--line-2); }
.diagonal { stroke: var(--ink-3); stroke-dasharray: 4 4; }
.interval { stroke: var(--own); stroke-opacity: 0.5; stroke-width: 2; }
.dot { fill: var(--own); }
code, pre { font: 400 0.8125rem / 1.5 ui-monospace, SFMono-Regular, Menlo, monospace; }
code { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 12px 14px; background: var(--sunken); border: 1px solid var(--line); border-radius: 8px; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 20px; }
dt { color: var(--ink-3); }
dd { margin: 0; overflow-wrap: anywhere; }

@media (max-width: 600px) {
  nav, main, footer { padding-inline: 12px; }
  section, details { padding: 16px 14px; }
  th, td { padding-inline: 6px; }
  tbody th { min-width: 10rem; }
}
`;
