/** The published event in the examples of the OpenAPI document. */
import { exampleOf } from '../foundation/example-of.ts';
import { eventExamples } from './examples.ts';
import { eventResource } from './schema.ts';

export const accepted = exampleOf(eventResource, { created_at: '2026-11-21T09:30:00.000Z' });

export const ghostPath = { integration_id: '019acb4c2d10a1b2c3d4e5f6', event: 'page.published' };
export const payloadOf = (event: string): object => eventExamples[event]?.payload ?? {};
