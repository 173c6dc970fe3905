import { useDirection } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

/** Passes the text direction of a new language to Mantine. */
export const DirectionSync = () => {
  const { i18n } = useTranslation();
  const { setDirection } = useDirection();
  const direction = i18n.dir();
  useEffect(() => setDirection(direction), [direction, setDirection]);
  return null;
};
