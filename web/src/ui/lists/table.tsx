import { Trans } from '@lingui/react/macro';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { classes } from '../classes.ts';
import { Button } from '../controls/button.tsx';
import { ErrorNotice, Skeleton } from '../states.tsx';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Value to sort by; columns without it cannot be sorted. Missing values come last. */
  sort?: (row: Row) => string | number | null;
  /** Aligned to the end, such as numbers and actions. */
  end?: boolean;
  /** Classes of all cells of the column, such as its width or where it is hidden. */
  className?: string;
  /** The header is for screen readers only, such as above buttons. */
  hideHeader?: boolean;
};

type Order = { id: string; down: boolean };

/** A dense table. It scrolls sideways by itself where the page is too narrow. */
export function Table<Row>({
  label,
  rows,
  columns,
  rowKey,
  sortable = true,
}: {
  /** Accessible name. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** False while not all rows are loaded: their order is that of the API. */
  sortable?: boolean;
}) {
  const [order, setOrder] = useState<Order | null>(null);
  const by = sortable && order ? columns.find(({ id }) => id === order.id)?.sort : undefined;
  const shown = by ? sorted(rows, by, order!.down) : rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls, also by keyboard.
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto outline-offset-[-2px]">
      <table className="w-full border-collapse text-left">
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell
                key={column.id}
                column={column}
                order={by && order!.id === column.id ? order : null}
                onSort={sortable && column.sort ? setOrder : null}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={rowKey(row)} className="hover:bg-raise/60">
              {columns.map(({ id, cell, end, className }) => (
                <td key={id} className={classes('border-b px-2.5 py-1.5 align-middle', end && 'text-right', className)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function HeaderCell<Row>({
  column: { id, header, end, className, hideHeader },
  order,
  onSort,
}: {
  column: Column<Row>;
  order: Order | null;
  onSort: ((order: Order) => void) | null;
}) {
  const Arrow = order?.down ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={order ? (order.down ? 'descending' : 'ascending') : undefined}
      className={classes(
        'whitespace-nowrap border-b px-2.5 py-1.5 font-medium text-ink-3 text-sm',
        end && 'text-right',
        className,
      )}
    >
      {onSort ? (
        <button
          type="button"
          className={classes('inline-flex items-center gap-1 hover:text-ink', order && 'text-ink')}
          onClick={() => onSort({ id, down: order ? !order.down : false })}
        >
          {header}
          {order && <Arrow size={12} aria-hidden />}
        </button>
      ) : (
        <span className={hideHeader ? 'sr-only' : undefined}>{header}</span>
      )}
    </th>
  );
}

function sorted<Row>(rows: readonly Row[], by: (row: Row) => string | number | null, down: boolean): Row[] {
  const sign = down ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [by(a), by(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === 'string' && typeof right === 'string') return sign * left.localeCompare(right);
    return sign * (Number(left) - Number(right));
  });
}

/** The parts of a query that a list uses. */
type ListQuery = {
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => unknown;
};

const PLACEHOLDERS = ['a', 'b', 'c'];

/** The rows of a query as a table, with its states: loading, failed, empty, more pages. */
export function ListTable<Row>({
  query,
  rows,
  empty,
  ...table
}: Omit<Parameters<typeof Table<Row>>[0], 'sortable'> & { query: ListQuery; empty: ReactNode }) {
  if (query.isPending)
    return (
      <div className="grid gap-2" aria-busy>
        {PLACEHOLDERS.map((key) => (
          <Skeleton key={key} className="h-8" />
        ))}
      </div>
    );
  return (
    <>
      {query.error != null && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} className="mb-3" />}
      {rows.length > 0 && <Table {...table} rows={rows} sortable={!query.hasNextPage} />}
      {rows.length === 0 && query.error == null && empty}
      {query.hasNextPage && (
        <Button className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage?.()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </>
  );
}
