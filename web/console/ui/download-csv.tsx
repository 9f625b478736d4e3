/** A button that saves all rows of a list as CSV. */
import type { JSX } from 'preact';
import { csvOf } from '../../../shared/foundation/csv.ts';
import { useTexts } from '../texts/dictionary.ts';
import { useAction } from '../use-action.ts';
import { type Pages, type ReadPage, readPages } from '../use-pages.ts';
import { announce } from './announcer.tsx';
import { Problem } from './states.tsx';

/** A longer list is cut, because each page is a request. */
const maxPages = 400;

interface DownloadProps<Item> {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly read: ReadPage<Item>;
  /** Returns an object for each line of the file. Default: the item. */
  readonly rowOf?: (item: Item) => object;
}

export const DownloadCsv = <Item extends object>({
  name,
  read,
  rowOf = (item) => item,
}: DownloadProps<Item>): JSX.Element => {
  const { frame } = useTexts();
  const { run, isRunning, error } = useAction(async () => {
    const { items, hasMore }: Pages<Item> = await readPages(read, maxPages, new AbortController().signal);
    // Excel takes a file without this mark for one of another encoding.
    const url = URL.createObjectURL(new Blob(['\ufeff', csvOf(items.map(rowOf))], { type: 'text/csv' }));
    const link = Object.assign(document.createElement('a'), { href: url, download: `${name}.csv` });
    link.click();
    URL.revokeObjectURL(url);
    announce(hasMore ? frame.csvCut(items.length) : frame.csvDone(items.length));
  });
  return (
    <>
      <wa-button size="s" appearance="outlined" loading={isRunning} onClick={run}>
        {frame.csv}
      </wa-button>
      {error !== undefined && <Problem error={error} />}
    </>
  );
};
