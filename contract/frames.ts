/** Empty pages that hold third-party HTML. Neither runs scripts; only the second loads remote images, on request. */
export const frameUrls = {
  closed: '/static/frame/closed',
  remoteImages: '/static/frame/remote-images',
} as const;
