/** The states that every view has besides its data: loading, empty, offline, refused and failed. */
import type { ComponentChildren, JSX } from 'preact';
import { ApiError, OfflineError } from '../api/problem.ts';
import { useTexts } from '../texts/dictionary.ts';
import type { QueryState } from '../use-query.ts';
import { Icon } from './icon.tsx';
import { CloudOff, type IconPath, Lock, TriangleAlert } from './icons.ts';

/** Reserves the space of a text that is still loading, so that nothing jumps when it arrives. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }): JSX.Element => {
  const { states } = useTexts();
  return (
    <div class="skeleton" role="status">
      <span class="unseen">{states.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="bone" />
      ))}
    </div>
  );
};

interface EmptyProps {
  readonly icon: IconPath;
  readonly title: string;
  readonly children?: ComponentChildren;
}

export const Empty = ({ icon, title, children }: EmptyProps): JSX.Element => (
  <div class="state empty">
    <Icon of={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);

interface ProblemProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Shows an error: its message, its help, and its id, which is also in the stage's log. */
export const Problem = ({ error, onRetry }: ProblemProps): JSX.Element => {
  const { states } = useTexts();
  const { icon, title, message, help, id } = describe(error, states);
  return (
    <wa-callout variant={error instanceof OfflineError ? 'warning' : 'danger'} role="alert" class="problem">
      <Icon of={icon} slot="icon" />
      <strong>{title}</strong>
      {message !== undefined && <p>{message}</p>}
      {help !== undefined && <p>{help}</p>}
      {id !== undefined && (
        <p class="quiet">
          {states.errorId}: <code>{id}</code>
        </p>
      )}
      {onRetry && (
        <wa-button size="s" appearance="outlined" onClick={onRetry}>
          {states.retry}
        </wa-button>
      )}
    </wa-callout>
  );
};

/** Shows in one line why the current input was refused; updated with each answer. */
export const Refusal = ({ error }: { readonly error: unknown }): JSX.Element => (
  <p class="mistake" role="status">
    {error instanceof Error ? error.message : String(error)}
  </p>
);

interface Described {
  readonly icon: IconPath;
  readonly title: string;
  readonly message?: string;
  readonly help?: string;
  readonly id?: string;
}

const describe = (error: unknown, texts: ReturnType<typeof useTexts>['states']): Described => {
  if (error instanceof OfflineError) return { icon: CloudOff, title: texts.offline, help: texts.offlineHelp };
  if (error instanceof ApiError) {
    const { message, help, id } = error.entry;
    return {
      ...(error.status === 403 ? { icon: Lock, title: texts.forbidden } : { icon: TriangleAlert, title: texts.failed }),
      message,
      ...(help !== null && { help }),
      ...(id !== null && { id }),
    };
  }
  return {
    icon: TriangleAlert,
    title: texts.unexpected,
    message: error instanceof Error ? error.message : String(error),
    help: texts.unexpectedHelp,
  };
};

interface LoadedProps<T> {
  readonly query: QueryState<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows a query's data or its state. Data stays visible with a note if it could not be read again. */
export const Loaded = <T,>({ query: { data, error, reload }, children }: LoadedProps<T>): JSX.Element => (
  <>
    {error !== undefined && <Problem error={error} onRetry={reload} />}
    {data === undefined ? error === undefined && <Skeleton /> : children(data)}
  </>
);
