/** Endpoints for callers with an API key: the common steps of `http/endpoint.ts`, with the keys of this environment. */
import type { Caller } from '../foundation/caller.ts';
import { type Endpoint, type Handler, keyEndpoint } from '../http/endpoint.ts';
import { findApiKey } from './find-api-key.ts';

/** Creates the handler of an endpoint that requires an API key. */
export const endpoint = <Item = never>(definition: Omit<Endpoint<Item, Caller>, 'keys'>): Handler =>
  keyEndpoint({ ...definition, keys: findApiKey });
