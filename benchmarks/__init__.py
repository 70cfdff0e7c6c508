"""Speed, memory and quality of forecasts beside other programs and plain C, as ratios in one run."""
