/** The endpoints of the document: what the files in `functions/` declare, and what they say about themselves. */
import * as v from 'valibot';
import { endpointLines, type FunctionName } from '../../shared/contract.ts';
import { type Documentation, tags } from '../../shared/http/documentation.ts';
import type { Declaration, EndpointHandler } from '../../shared/http/endpoint.ts';
import type { Pages } from '../../shared/http/paging.ts';
import type { Query } from '../../shared/http/query.ts';

type DocumentedQuery = Readonly<Record<string, Omit<Query[string], 'read'>>>;

const documentedPages = ({ max, isFixed, isNumbered }: Pages): DocumentedQuery => ({
  ...(!isFixed && {
    limit: {
      schema: v.union([v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(max)), v.literal('all')]),
      description: `The maximum number of items on the page. Default: ${max}, which \`all\` means too.`,
      invalid: `\`limit\` is not a number from 1 to ${max}, or \`all\``,
    },
  }),
  ...(isNumbered
    ? {
        page: {
          schema: v.pipe(v.number(), v.integer(), v.minValue(1)),
          description: 'The number of the page. Default: 1.',
          invalid: '`page` is not a number from 1',
        },
      }
    : {
        cursor: {
          schema: v.pipe(v.string(), v.minLength(1)),
          description:
            'Continues a list: `meta.pagination.next` of the previous page, unchanged. ' +
            'Omit it for the first page; an empty one is refused.',
          invalid: '`cursor` does not belong to this list and its filters',
        },
      }),
});

/** An endpoint: its declaration, with the parameters of pages in the query, and its documentation. */
export interface Operation extends Omit<Declaration, 'query' | 'body'> {
  readonly query: DocumentedQuery;
  readonly items: Declaration['body'];
  readonly documentation: Documentation;
}

interface EndpointFile {
  readonly handler: EndpointHandler;
  readonly documentation: () => Documentation;
}

const operationIn = async (name: FunctionName): Promise<Operation> => {
  const [noun, verb] = name.split('/');
  const { handler, documentation }: EndpointFile = await import(`../../functions/${noun}/${verb}.ts`);
  const { query, pages, body: items, ...declared } = handler.declared;
  return {
    ...declared,
    ...(pages && { pages }),
    query: { ...query, ...(pages && documentedPages(pages)) },
    items,
    documentation: documentation(),
  };
};

const found = await Promise.all(endpointLines().map(({ function: name }) => operationIn(name)));

/** The operations by the names of their functions, in the order of their tags and of the contract. */
export const operations: ReadonlyMap<FunctionName, Operation> = new Map(
  tags.flatMap((tag) => found.filter(({ documentation }) => documentation.tag === tag)).map((one) => [one.line, one]),
);
