/** Inputs at the edge of what the OpenAPI document allows: document and code agree. */
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { ghostEvents, mastheadEvents } from '../../shared/foundation/event-names.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const get = (line: 'invites/list', path: string) => stack.call(line, { path, key: keys.owner });

describe('a query that the document forbids is refused', () => {
  it.each([
    ['include', '/admin/invites/?include=history&include=history'],
    ['limit', '/admin/invites/?limit=1&limit=2'],
  ])('%s twice', async (property, path) => {
    expectRefusal(await get('invites/list', path), { status: 422, type: 'ValidationError', property });
  });

  it('an empty cursor, which the document says has a character at least', async () => {
    const { paths } = openApiDocument() as unknown as {
      readonly paths: Record<string, { readonly get: { readonly parameters: readonly { readonly name?: string }[] } }>;
    };
    const { parameters = [] } = paths['/admin/invites/']?.get ?? {};
    expect(parameters.find(({ name }) => name === 'cursor')).toMatchObject({ schema: { minLength: 1 } });
    const refusal = { status: 422, type: 'ValidationError', property: 'cursor' };
    expectRefusal(await get('invites/list', '/admin/invites/?cursor='), refusal);
  });

  it('a payload that is an array', async () => {
    const body = { events: [{ event: 'site.changed', payload: [null] }] };
    const answer = await stack.call('events/publish', { path: '/admin/events/', key: keys.owner, body });
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'payload' });
  });
});

it('the document lists the events that a webhook can subscribe to and that can be published', () => {
  const { schemas } = openApiDocument().components as unknown as {
    readonly schemas: Record<string, { readonly properties: Record<string, { readonly enum?: readonly string[] }> }>;
  };
  expect(schemas.NewWebhook?.properties.event?.enum).toEqual([...ghostEvents, ...mastheadEvents]);
  expect(schemas.NewEvent?.properties.event?.enum).toEqual(ghostEvents);
});
