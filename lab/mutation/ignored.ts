/** Excludes prose for people from mutation, because no test should repeat its wording. */
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** The part of Babel's syntax tree that is read here. */
interface Syntax {
  readonly type: string;
  /** The value of a string. */
  readonly value?: unknown;
  /** The texts of a template string. */
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  /** The function of a call. */
  readonly callee?: Syntax;
  /** The object of a member such as `log.info`. */
  readonly object?: Syntax;
  readonly name?: string;
}

interface SyntaxPath {
  readonly node: Syntax;
  readonly parentPath: SyntaxPath | null;
}

/** Returns why the mutants of this syntax are ignored; undefined if they are not. */
export const reasonToIgnore = (path: SyntaxPath): string | undefined => {
  if (!isProse(path.node)) return undefined;
  for (let at = path.parentPath; at !== null; at = at.parentPath) {
    if (at.node.type === 'NewExpression' && at.node.callee?.name?.endsWith('Error')) return 'the wording of an error';
    if (at.node.type === 'CallExpression' && at.node.callee?.object?.name === 'log') return 'the wording of a log line';
    if (at.node.type === 'CallExpression' && at.node.callee?.object?.name === 'v') return 'the wording of a schema';
    // A function inside an argument is code, not wording.
    if (at.node.type.includes('Function')) return undefined;
  }
  return undefined;
};

/** Returns whether a text is a sentence. Codes and names contain no space. */
const isProse = ({ type, value, quasis = [] }: Syntax): boolean => {
  if (type === 'StringLiteral') return typeof value === 'string' && value.includes(' ');
  return type === 'TemplateLiteral' && quasis.some(({ value }) => value.raw.includes(' '));
};

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'prose', {
    shouldIgnore: (path) => reasonToIgnore(path as SyntaxPath),
  }),
];
