/** Hands a text to the browser's downloads. */
export const saveFile = (name: string, text: string, type = "application/json"): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
