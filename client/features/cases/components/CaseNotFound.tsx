import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { buttonClass } from '../../../ui/button-class.ts';
import { cx } from '../../../ui/cx.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';

/** In place of a case that does not exist. */
export function CaseNotFound() {
  return (
    <PageHeader title="Case not found">
      <p>No case has this address.</p>
      <Link to={paths.matters} className={cx(buttonClass(), 'mt-5')}>
        Go to Matters
      </Link>
    </PageHeader>
  );
}
