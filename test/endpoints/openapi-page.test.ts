/** The OpenAPI document as a page: everything that it says, nothing that runs, nothing from elsewhere. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openApiDocument, undescribed } from '../../infra/commands/openapi/document.ts';
import { renderPage } from '../../infra/commands/openapi/page.ts';
import type { Document } from '../../infra/commands/openapi/shown.ts';
import { type ContractLine, contract } from '../../shared/contract.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const answer = await stack.call('openapi/page', { path: '/admin/docs/' });
const page = answer.text;

const described = (contract as readonly ContractLine[]).flatMap((line) =>
  line.kind === 'endpoint' && !undescribed().includes(line.function) ? [line] : [],
);

describe('GET /admin/docs/', () => {
  it('is a page for anyone', () => {
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  });

  it('names the base URL of its stage', () => {
    expect(page).toContain(`<code>${stack.baseUrl}</code>`);
    expect(page).not.toContain('https://example.com/ghost/api');
  });

  it.each(described)('shows $method $path with its callers, errors and examples', ({ method, path }) => {
    const { operationId, summary } =
      (openApiDocument() as unknown as Document).paths[path]?.[method.toLowerCase()] ?? expect.fail();
    const article = page.slice(page.indexOf(`<article id="${operationId}"`)).split('</article>', 1)[0];
    expect(article).toContain(`>${method}</span>${path}</code>`);
    expect(article).toContain(summary.replaceAll("'", '&#39;'));
    expect(article).toMatch(/<p class="dim">For \w/);
    expect(article).toContain('<td>429</td>');
    expect(article).toContain('HTTP/1.1 20');
  });

  it('runs nothing, and loads nothing', () => {
    expect(page).not.toMatch(/<script|<iframe|<object|<form|<img|<link|javascript:|\son\w+=|@import|url\(/i);
    expect(page).not.toMatch(/\ssrc=/i);
  });

  it('allows its browser nothing but its own style', () => {
    const [style = ''] = /(?<=<style>)[\s\S]*?(?=<\/style>)/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(style).not.toBe('');
    expect(page).not.toMatch(/\sstyle=/i);
    expect(answer.headers['content-security-policy']?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('leads to no place that is not there, and names no place twice', () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/\shref="([^"]*)"/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !target.startsWith('#'))).toEqual([`${stack.baseUrl}/admin/openapi.json`]);
    expect(links.filter((target) => target.startsWith('#') && !ids.includes(target.slice(1)))).toEqual([]);
  });

  it('opens no element that it does not close', () => {
    const open: string[] = [];
    for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (['meta', 'br'].includes(name)) continue;
      if (slash === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  it('shows texts of the document as texts, whatever stands in them', () => {
    const hostile = '<script>alert(1)</script>"\'&`<b>`';
    const document = JSON.parse(
      JSON.stringify(openApiDocument(), (key, value) =>
        ['description', 'summary', 'when'].includes(key) && typeof value === 'string' ? hostile : value,
      ),
    );
    expect(renderPage(document, stack.baseUrl)).not.toMatch(/<script|<b>/);
  });
});
