import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { buttonClass } from '../../../ui/button-class.ts';
import { cx } from '../../../ui/cx.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';

/** In place of a page that the user may no longer see. */
export function MatterLost() {
  return (
    <PageHeader title="No access">
      <p role="alert">You no longer have access to this matter.</p>
      <Link to={paths.matters} className={cx(buttonClass(), 'mt-5')}>
        Go to Matters
      </Link>
    </PageHeader>
  );
}
