"use client";

import { useEffect, useState } from "react";
import { bestMove } from "../best_move";

export default function Page() {
  const [answer, setAnswer] = useState("");
  useEffect(() => {
    bestMove().then(setAnswer, (error) => setAnswer(String(error)));
  }, []);
  return <p id="answer">{answer}</p>;
}
