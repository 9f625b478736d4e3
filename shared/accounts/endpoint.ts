/** Endpoints for callers with an API key or a session: the common steps of `http/endpoint.ts`, with this environment's finders of keys and sessions. */
import type { Caller } from '../foundation/caller.ts';
import { type Endpoint, type Handler, keyEndpoint } from '../http/endpoint.ts';
import { findApiKey } from './find-api-key.ts';
import { findSession } from './find-session.ts';
import { noteUse } from './last-use.ts';

const credentials = { key: findApiKey, session: findSession, noteUse };

/** Creates the handler of an endpoint that requires an API key or a session. */
export const endpoint = <Item = never>(definition: Omit<Endpoint<Item, Caller>, 'credentials'>): Handler =>
  keyEndpoint({ ...definition, credentials });
