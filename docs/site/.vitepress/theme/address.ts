/** The service fills its address into each page that it sends. Pages that the site's script opens get it here. */
const WRITTEN_ADDRESS = "http://127.0.0.1:4000";

export const fillInAddress = (root: Element | null): void => {
  if (root === null || location.origin === WRITTEN_ADDRESS) return;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    if (node.nodeValue?.includes(WRITTEN_ADDRESS)) node.nodeValue = node.nodeValue.replaceAll(WRITTEN_ADDRESS, location.origin);
  for (const link of root.querySelectorAll<HTMLAnchorElement>(`a[href^="${WRITTEN_ADDRESS}"]`))
    link.href = link.href.replace(WRITTEN_ADDRESS, location.origin);
};
