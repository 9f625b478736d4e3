/** Starts the documentation page: prepares the document for a strict security policy, then loads the renderer. */

declare global {
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

/** Without this, zod compiles its checks with `new Function`, which the policy forbids. */
globalThis.__zod_globalConfig = { jitless: true };

/**
 * The policy allows `<style>` elements only with this page's nonce, which some that scripts create (theme, editor,
 * toasts) lack. Markup that is injected into a text does not pass through this function.
 */
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
const createElement = document.createElement;
document.createElement = function create(this: Document, name: string, options?: ElementCreationOptions): HTMLElement {
  const element = createElement.call(this, name, options);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
} as typeof document.createElement;

// Everything that the renderer does on loading must come after this.
await import('./reference.ts');

export {};
