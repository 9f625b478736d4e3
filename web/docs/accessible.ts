/** Gives elements of the renderer the names and states that assistive technology needs and the renderer leaves out. */

interface Repair {
  readonly selector: string;
  readonly attribute: string;
  /** Left out where the attribute is to be removed. */
  readonly value?: string;
}

const repairs: readonly Repair[] = [
  { selector: 'button.group\\/copy-button:not([aria-label])', attribute: 'aria-label', value: 'Copy' },
  { selector: 'button.group\\/copy-button[aria-controls]', attribute: 'aria-controls' },
  { selector: '[role=combobox]:not([aria-expanded])', attribute: 'aria-expanded', value: 'false' },
  { selector: 'button[role=none]', attribute: 'role' },
  { selector: '.cm-content:not([aria-label])', attribute: 'aria-label', value: 'Body' },
  { selector: '.cm-scroller[tabindex="-1"]', attribute: 'tabindex', value: '0' },
  { selector: 'code.hljs:not([tabindex])', attribute: 'tabindex', value: '0' },
  { selector: 'ul.endpoints:not([tabindex])', attribute: 'tabindex', value: '0' },
];

/** Repairs what is in the element, and what the renderer adds to it later. */
export const keepAccessible = (element: Element): void => {
  const repair = (): void => {
    for (const { selector, attribute, value } of repairs)
      for (const found of element.querySelectorAll(selector))
        if (value === undefined) found.removeAttribute(attribute);
        else found.setAttribute(attribute, value);
  };
  let isWaiting = false;
  new MutationObserver(() => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      repair();
    });
  }).observe(element, { childList: true, subtree: true });
};
