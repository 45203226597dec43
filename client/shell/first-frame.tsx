import { renderToStaticMarkup } from 'react-dom/server';
import { SignInLayout } from '../features/accounts/components/SignInLayout.tsx';

/**
 * The sign-in page without its form, drawn at the build into the page itself: a slow machine paints it while the
 * scripts load. It is inert, and the application replaces it.
 */
export function renderFirstFrame(): string {
  const frame = (
    <div data-first-frame="" aria-hidden="true" inert>
      <SignInLayout title="Sign in" aside="&nbsp;">
        <div className="h-[17.75rem]" />
      </SignInLayout>
    </div>
  );
  // The document has its own title already.
  return renderToStaticMarkup(frame).replace(/<title>.*?<\/title>/, '');
}
