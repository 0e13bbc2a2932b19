"""What tests of several rooms share: marks, scenes at random, what the books say, how pictures and texts are read."""
