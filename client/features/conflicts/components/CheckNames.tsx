import type { Check } from '@matterdesk/contract/conflicts.ts';
import { cx } from '../../../ui/cx.ts';
import { askedRole, hitsInWords } from '../rules.ts';
import { counted } from '../../../core/words.ts';

interface CheckNamesProps {
  check: Check;
  /** The name whose hits alone are shown, by its place. */
  shown: number | null;
  onShow: (name: number | null) => void;
}

/** The names of a check with the number of their hits; choosing one shows its hits alone. */
export function CheckNames({ check, shown, onShow }: CheckNamesProps) {
  const { names, hits } = check;
  return (
    <section aria-label="Names" className="min-w-0">
      <h2 className="mb-2 text-heading font-semibold">
        Names
        <span className="ml-2 font-normal text-ink-3 tabular-nums">{names.length}</span>
      </h2>
      <ul className="-mx-3">
        <NameLine
          title="All names"
          detail={hitsInWords(check, hits)}
          count=""
          isShown={shown === null}
          onShow={() => onShow(null)}
        />
        {names.map((asked, index) => {
          const found = hits.filter(({ name }) => name === index).length;
          return (
            <NameLine
              // oxlint-disable-next-line react/no-array-index-key -- a name is known by its place
              key={index}
              title={asked.name}
              detail={askedRole(asked)}
              count={found === 0 ? 'No match' : counted(found, 'hit')}
              isShown={shown === index}
              onShow={() => onShow(shown === index ? null : index)}
            />
          );
        })}
      </ul>
    </section>
  );
}

interface NameLineProps {
  title: string;
  detail: string;
  count: string;
  isShown: boolean;
  onShow: () => void;
}

function NameLine({ title, detail, count, isShown, onShow }: NameLineProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isShown}
        onClick={onShow}
        className={cx(
          'flex min-h-[52px] w-full items-center justify-between gap-3 rounded-control px-3 py-1.5 text-left',
          isShown ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        <span className="min-w-0">
          <span className="block truncate font-medium">{title}</span>
          <span className="block truncate text-note text-ink-2">{detail}</span>
        </span>
        <span
          className={cx('flex-none text-sm', count === 'No match' ? 'text-ink-3' : 'font-medium')}
        >
          {count}
        </span>
      </button>
    </li>
  );
}
