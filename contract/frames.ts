/**
 * Empty pages of ours for a stranger's HTML to be put into. Neither runs a script; the first loads
 * nothing from anywhere, the second images that somebody has asked for.
 */
export const frameUrls = {
  closed: '/static/frame/closed',
  remoteImages: '/static/frame/remote-images',
} as const;
