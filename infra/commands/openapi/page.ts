/** The OpenAPI document as a page for people: one HTML text without scripts, made of the document alone. */
import { createHash } from 'node:crypto';
import { html } from '../../../shared/foundation/html.ts';
import { blocks, inline } from './markdown.ts';
import { operationArticle } from './page-operation.ts';
import { fieldTable } from './page-schema.ts';
import { style } from './page-style.ts';
import type { Document, PathItem, ShownOperation } from './shown.ts';

/** Nothing but the page's own style: no script, no frame, no form, nothing from elsewhere. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page; `baseUrl` is that of the stage. */
export const renderPage = (document: Document, baseUrl: string): string => {
  const operations = [...listed(document.paths), ...listed(document.webhooks)];
  const groups = document.tags
    .map(({ name }) => ({ name, operations: operations.filter(({ operation }) => operation.tags.includes(name)) }))
    .filter((group) => group.operations.length > 0);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} API</title>
<style>${{ html: style }}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<nav aria-label="Contents">
<p><a href="#main"><strong>${document.info.title} API ${document.info.version}</strong></a></p>
${groups.map(
  ({ name, operations }) => html`<h2 id="nav-${name}">${name}</h2>
<ul aria-labelledby="nav-${name}">${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}</ul>`,
)}
<h2 id="nav-objects">Objects</h2>
<ul aria-labelledby="nav-objects">${Object.keys(document.components.schemas).map((name) => html`<li><a href="#object-${name}">${name}</a></li>`)}</ul>
</nav>
<main id="main">
<h1>${document.info.title} API</h1>
<p class="dim">Version ${document.info.version}, at <code>${baseUrl}</code>. For programs: <a href="${baseUrl}/admin/openapi.json">the OpenAPI document</a>.</p>
<section class="introduction" aria-label="Introduction">${blocks(document.info.description)}</section>
${groups.map(
  ({ name, operations }) => html`<section aria-labelledby="group-${name}">
<h2 id="group-${name}">${name}</h2>
${operations.map((shown) => operationArticle(shown, document, baseUrl))}
</section>`,
)}
<section aria-labelledby="group-objects">
<h2 id="group-objects">Objects</h2>
${Object.entries(document.components.schemas).map(
  ([name, schema]) => html`<article id="object-${name}">
<h3>${name}</h3>
${schema.description === undefined ? undefined : html`<p>${inline(schema.description)}</p>`}
${fieldTable(schema, `The fields of ${name}`)}
</article>`,
)}
</section>
</main>
</body>
</html>
`.html;
};

const listed = (
  paths: Readonly<Record<string, PathItem>>,
): { method: string; path: string; operation: ShownOperation }[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }],
    ),
  );
