import { afterEach } from 'vitest';

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

// happy-dom has no popovers; what shows one need not wait for it to be seen.
HTMLElement.prototype.showPopover ??= () => {};

// Files of one worker share one page, so nothing of a test may stay on it.
afterEach(() => {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});
