/** Views whose code is loaded when they are first shown, so that the first view of the console needs less. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem, Skeleton } from './states.tsx';

/** Returns a component that shows another one once its code is there. If an update renamed it, reloads the page. */
export const late =
  <Props extends object>(load: () => Promise<ComponentType<Props>>): ((props: Props) => JSX.Element) =>
  (props) => {
    const [state, setState] = useState<{ readonly Loaded?: ComponentType<Props>; readonly error?: unknown }>({});
    useEffect(() => {
      load().then(
        (Loaded) => setState({ Loaded }),
        (error: unknown) => setState({ error }),
      );
    }, []);
    const { Loaded, error } = state;
    if (error !== undefined) return <Problem error={error} onRetry={() => location.reload()} />;
    return Loaded === undefined ? <Skeleton /> : <Loaded {...props} />;
  };
