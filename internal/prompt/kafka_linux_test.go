package prompt

func kafkaProgram() int { return 0 }
