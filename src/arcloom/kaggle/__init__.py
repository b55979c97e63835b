"""The Kaggle kit: a notebook that searches without internet, and the files that it needs."""
