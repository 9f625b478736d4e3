/** Endpoints for callers with a key or a session: `http/endpoint.ts` with this environment's finders of both. */
import type { Caller } from '../foundation/caller.ts';
import { type Endpoint, type EndpointHandler, keyEndpoint } from '../http/endpoint.ts';
import type { Query } from '../http/query.ts';
import type { Answer } from '../http/response.ts';
import { findApiKey } from './find-api-key.ts';
import { findSession } from './find-session.ts';
import { noteUse } from './last-use.ts';

const credentials = { key: findApiKey, session: findSession, noteUse };

/** Creates the handler of an endpoint that requires an API key or a session. */
export const endpoint = <const Success extends Answer, Item = never, Declared extends Query = Record<never, never>>(
  definition: Endpoint<Item, Caller, Declared, Success>,
): EndpointHandler => keyEndpoint(definition, credentials);
