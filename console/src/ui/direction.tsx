import { useDirection } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

/** Components that place things by direction learn of a new language here. */
export const FollowDirection = () => {
  const { i18n } = useTranslation();
  const { setDirection } = useDirection();
  const direction = i18n.dir();
  useEffect(() => setDirection(direction), [direction, setDirection]);
  return null;
};
