/** Adds names and states for assistive technology that the renderer omits. */

interface Repair {
  readonly selector: string;
  readonly attribute: string;
  /** Absent if the attribute must be removed. */
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

/** Corrects the element's current content, and whatever the renderer adds later. */
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
