/** How the page looks, in light and dark, wide and narrow; inline in the page, whose policy allows exactly this text. */
export const style = `
:root { color-scheme: light dark; --text: #1c2330; --dim: #566074; --paper: #fff; --panel: #f5f6f9; --line: #d9dde5; --link: #1a4f8b;
  --get: #1d5fa8; --post: #1f6f43; --put: #8a4b08; --delete: #a8232b; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9f0; --dim: #a4adbf; --paper: #12161e; --panel: #1b212c; --line: #343c4b; --link: #8dbdf5;
  --get: #8dbdf5; --post: #7fd6a3; --put: #f2b56b; --delete: #f59aa0; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--text); background: var(--paper); font: 1rem/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--paper); z-index: 1; }
nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow: auto; padding: 1.5rem 1rem; border-right: 1px solid var(--line); background: var(--panel); font-size: .875rem; }
nav h2 { font-size: .875rem; margin: 1.25rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .2rem 0; text-decoration: none; }
nav li a:hover { text-decoration: underline; }
main { padding: 2rem clamp(1rem, 4vw, 4rem) 6rem; max-width: 72rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .25rem; }
main > section > h2, .introduction h2 { margin: 2.5rem 0 .75rem; font-size: 1.5rem; line-height: 1.25; }
.introduction h2 { font-size: 1.2rem; margin-top: 1.75rem; }
.introduction p, .introduction ul, article > p { max-width: 46rem; }
article { border-top: 1px solid var(--line); padding: 1.5rem 0 1rem; }
h3 { font-size: 1.15rem; margin: 0 0 .25rem; }
h4 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em; }
.path { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
.method { font-weight: 700; margin-right: .5rem; }
.GET { color: var(--get); } .POST { color: var(--post); } .PUT { color: var(--put); } .DELETE { color: var(--delete); }
.dim { color: var(--dim); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--dim); font-weight: 600; font-size: .8125rem; }
tbody th { font-weight: 600; white-space: nowrap; }
th .dim { font-weight: 400; }
td:nth-child(2) { min-width: 8rem; }
details { margin: .75rem 0; border: 1px solid var(--line); border-radius: .375rem; background: var(--panel); }
details .scroll { padding: 0 .75rem; }
summary { cursor: pointer; padding: .5rem .75rem; }
pre { margin: 0; padding: .75rem; overflow-x: auto; border-top: 1px solid var(--line); line-height: 1.45; }
@media (max-width: 52rem) { body { display: block; } nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul { columns: 2 8rem; } }
@media (max-width: 40rem) { thead { display: none; } table, tbody, tr, tbody th, td { display: block; padding: 0; border: 0; }
  tr { padding: .6rem 0; border-bottom: 1px solid var(--line); } tbody th { white-space: normal; } }
@media print { nav, .skip { display: none; } body { display: block; } }
`;
