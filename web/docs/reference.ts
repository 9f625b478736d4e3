/** Shows this stage's OpenAPI document with Scalar's API reference, without features that call another origin. */
// The build replaces this import with the package's prebuilt script (`infra/cdk/documentation.ts`).
import '@scalar/fastify-api-reference';
import { tokenOf } from '../token.ts';
import { keepAccessible } from './accessible.ts';
import { type OpenApiDocument, presented, schemeName } from './presented.ts';

declare global {
  const Scalar: { createApiReference: (app: HTMLElement, configuration: object) => void };
}

/** Scripts of the page lie at `<base URL>/admin/docs/<name>`. */
const baseUrl = new URL('../..', import.meta.url).href.replace(/\/$/, '');

/** Sends a request of "Test Request", after replacing the entered key by a token as the API expects it. */
const send = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const request = new Request(input, init);
  const [, key = ''] = /^Bearer (.*)$/.exec(request.headers.get('Authorization') ?? '') ?? [];
  if (key !== '') {
    const token = await tokenOf(key);
    if (token === undefined) throw new Error('This is not an Admin API key: enter `{id}:{secret}`.');
    request.headers.set('Authorization', `Ghost ${token}`);
  }
  return fetch(request);
};

const show = async (app: HTMLElement): Promise<void> => {
  const answer = await fetch(`${baseUrl}/admin/openapi.json`);
  if (!answer.ok) throw new Error(`The OpenAPI document cannot be read: the answer is ${answer.status}.`);
  Scalar.createApiReference(app, {
    content: presented((await answer.json()) as OpenApiDocument, baseUrl),
    customFetch: send,
    authentication: { preferredSecurityScheme: schemeName },
    persistAuth: false,
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    // Shows only the document's samples: a generated one would contain `Bearer` and the key.
    hiddenClients: true,
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    modelsSectionLabel: 'Objects',
    localization: {
      translations: {
        apiClient: { requestAuthTab: { bearerToken: 'Admin API key', token: '{id}:{secret}' } },
        // The accessible name of a button starts with its text (WCAG 2.2, 2.5.3).
        navigation: { showAllEndpoints: 'Show More: all {name} endpoints' },
      },
    },
  });
};

const app = document.getElementById('app');
if (app !== null) {
  keepAccessible(document.body);
  show(app).catch((error: unknown) => {
    app.textContent = error instanceof Error ? error.message : String(error);
  });
}
